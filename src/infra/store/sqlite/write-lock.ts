import Sqlite from 'better-sqlite3';

/** Takes the write lock of a database as another process would, and returns how to give it back. */
export function takeWriteLock(path: string): () => void {
  const connection = new Sqlite(path, { fileMustExist: true });
  connection.exec('begin immediate');
  return () => {
    connection.exec('rollback');
    connection.close();
  };
}
