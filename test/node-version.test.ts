import { supportedNodeOrExit } from '../src/node-version';

describe('the version of Node', () => {
  const { versions } = process;
  let exit: jest.SpyInstance;
  let write: jest.SpyInstance;

  beforeEach(() => {
    exit = jest.spyOn(process, 'exit').mockImplementation(() => undefined as never);
    write = jest.spyOn(process.stderr, 'write').mockImplementation(() => true);
  });
  afterEach(() => {
    Object.defineProperty(process, 'versions', { value: versions });
    jest.restoreAllMocks();
  });

  const on = (node: string): void => {
    Object.defineProperty(process, 'versions', { value: { ...versions, node }, configurable: true });
    supportedNodeOrExit();
  };

  it.each(['22.13.0', '22.20.1', '23.0.0', '24.21.0', '100.1.0'])('%s is new enough', (node) => {
    on(node);

    expect(exit).not.toHaveBeenCalled();
  });

  it.each(['22.12.9', '20.20.2', '18.0.0', '8.17.0'])('%s ends the process with one sentence', (node) => {
    on(node);

    expect(exit).toHaveBeenCalledWith(1);
    expect(write.mock.calls).toEqual([
      [expect.stringMatching(/^SchneeAI Gateway needs Node\.js 22\.13 or newer,.*\n$/)],
    ]);
  });
});
