import { RoutingPolicy } from '../../../src/domain/routing/routing-policy';
import { apiKeyRowOf } from '../../../src/infra/store/api-key-row';
import type { SqliteDatabase } from '../../../src/infra/store/sqlite/sqlite-database';
import { tenantRowOf } from '../../../src/infra/store/tenant-row';
import { API_KEY, TENANT } from './sample-records';

/** So many tenants, each with a key and a policy, written straight into the tables. */
export async function fillConfiguration(
  { kysely, connection }: SqliteDatabase,
  count: number,
): Promise<void> {
  const policy = RoutingPolicy.create({
    match: ['auto'],
    primary: { provider: 'openai', model: 'gpt-4o-mini' },
    fallbacks: [{ provider: 'anthropic', model: 'claude-haiku-4-5' }],
  });
  if (!policy.ok) throw new Error('The sample policy is invalid.');
  const tenant = tenantRowOf(TENANT);
  const key = apiKeyRowOf(API_KEY);
  const version = {
    name: 'default',
    version: 1,
    policy: JSON.stringify(policy.value.toData()),
    created_at: 1,
    created_by: 'key_1',
  };
  const pointer = { name: 'default', version: 1 };
  const prepared = [
    kysely.insertInto('tenants').values({ ...tenant }),
    kysely.insertInto('api_keys').values({ ...key }),
    kysely.insertInto('routing_policy_versions').values({ tenant: '', ...version }),
    kysely.insertInto('routing_policies').values({ tenant: '', ...pointer }),
  ].map((query) => connection.prepare(query.compile().sql));
  connection.transaction(() => {
    for (let number = 0; number < count; number += 1) {
      const id = `ten_${number}`;
      const rows = [
        { ...tenant, id, name: id },
        { ...key, id: `key_${number}`, tenant: id, secret_hash: `hash_${number}` },
        { tenant: id, ...version },
        { tenant: id, ...pointer },
      ];
      rows.forEach((row, index) => prepared[index]!.run(Object.values(row)));
    }
  })();
}
