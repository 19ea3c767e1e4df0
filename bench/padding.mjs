/** Fills a store with what other tenants would have: copies of what the product itself has written. */
import { multiply } from './database.mjs';

/** So many tenants, each with a key and a policy of its own. */
export function padConfiguration(database, count) {
  return database.withConnection(async (connection) => {
    const copy = (table, like, change) => multiply(connection, database, { table, like, count, change });
    const tenant = `'ten_pad' || n.i`;
    await copy('tenants', `t.id = 'bench'`, { id: tenant, name: tenant });
    await copy('api_keys', `t.tenant = 'bench'`, {
      id: `'key_pad' || n.i`,
      tenant,
      secret_hash: `'no secret has this hash ' || n.i`,
    });
    await copy('routing_policy_versions', `t.tenant = 'bench'`, { tenant });
    await copy('routing_policies', `t.tenant = 'bench'`, { tenant });
  });
}

/** So many policies of the tenant that is asked for, none of which answers. */
export function padPolicies(database, count) {
  return database.withConnection(async (connection) => {
    const copy = (table, change) =>
      multiply(connection, database, {
        table,
        like: `t.tenant = 'bench' and t.name = 'bench'`,
        count,
        change,
      });
    const name = `'pad' || n.i`;
    await copy('routing_policy_versions', {
      name,
      policy: `replace(t.policy, '"match":["bench-model"]', '"match":["other-' || n.i || '","more-' || n.i || '-*"]')`,
    });
    await copy('routing_policies', { name });
  });
}

/** So many closed records with their attempts, over thirty days, twenty services and fifty tenants; one in a hundred failed. */
export function padRecords(database, count) {
  const spread = {
    opened_at: `t.opened_at - 2592000000 + cast(2592000000.0 * n.i / :count as bigint)`,
    tenant: `'ten_pad' || (n.i % 50)`,
    service: `'service ' || (n.i % 20)`,
    state: `case when n.i % 100 = 0 then 'failed' else t.state end`,
    error_code: `case when n.i % 100 = 0 then 'provider_failed' end`,
    writer: `'wri_pad'`,
    sequence: `n.i`,
  };
  // As long as ours, in the order of time, and before everything that is asked later.
  const requestId = `'req_0000000000' || (1000000000000000 + n.i)`;
  return database.withConnection(async (connection) => {
    const copy = (table, like, change) => multiply(connection, database, { table, like, count, change });
    const like = `t.request_id = (select max(request_id) from interactions)`;
    await copy('interactions', like, { ...spread, request_id: requestId });
    await copy('attempts', like, { request_id: requestId });
    for (const statement of database.settle) await connection.run(statement, {});
  });
}
