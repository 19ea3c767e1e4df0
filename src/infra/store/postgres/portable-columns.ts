import {
  DataTypeNode,
  RawNode,
  type AlterTableNode,
  type ColumnDefinitionNode,
  type KyselyPlugin,
  type PluginTransformQueryArgs,
  type PluginTransformResultArgs,
  type QueryResult,
  type RootOperationNode,
  type UnknownRow,
} from 'kysely';

/** What each type of the migrations has to be here, to hold and order the same values as on SQLite. */
const HERE: ReadonlyMap<unknown, RawNode> = new Map([
  // By bytes, whatever the locale of the database: pages are cut by id.
  ['text', RawNode.createWithSql('text collate "C"')],
  // SQLite's integers have 64 bits.
  ['integer', RawNode.createWithSql('bigint')],
]);

/** Has the migrations, which are written once for both dialects, make columns that behave alike on both. */
export class PortableColumns implements KyselyPlugin {
  transformQuery({ node }: PluginTransformQueryArgs): RootOperationNode {
    if (node.kind === 'CreateTableNode') return { ...node, columns: node.columns.map(portable) };
    return node.kind === 'AlterTableNode' ? withPortableColumns(node) : node;
  }

  transformResult({ result }: PluginTransformResultArgs): Promise<QueryResult<UnknownRow>> {
    return Promise.resolve(result);
  }
}

function withPortableColumns(node: AlterTableNode): AlterTableNode {
  const alterations = node.columnAlterations?.map((alteration) =>
    alteration.kind === 'AddColumnNode' ? { ...alteration, column: portable(alteration.column) } : alteration,
  );
  return { ...node, ...(alterations === undefined ? {} : { columnAlterations: alterations }) };
}

function portable(column: ColumnDefinitionNode): ColumnDefinitionNode {
  const here = DataTypeNode.is(column.dataType) ? HERE.get(column.dataType.dataType) : undefined;
  return here === undefined ? column : { ...column, dataType: here };
}
