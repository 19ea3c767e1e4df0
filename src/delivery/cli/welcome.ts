import type { FirstKeys } from './first-run';

export type WelcomeFacts = Readonly<{
  baseUrl: string;
  providers: readonly string[];
  sandbox: boolean;
  /** Null: the keys were shown at the first run. */
  keys: FirstKeys | null;
}>;

/** What an operator sees when the gateway is ready. */
export function welcome({ baseUrl, providers, sandbox, keys }: WelcomeFacts): string {
  const lines = [
    `SchneeAI Gateway is listening on ${baseUrl}`,
    sandbox
      ? `SANDBOX: ${providers.join(' and ')} are simulated on this machine. Set OPENAI_API_KEY or ANTHROPIC_API_KEY for real ones.`
      : `Providers: ${providers.length === 0 ? 'none yet; register one with the admin API' : providers.join(', ')}`,
    '',
    ...(keys === null ? later() : shownOnce(baseUrl, keys)),
  ];
  return `${lines.join('\n')}\n`;
}

function shownOnce(baseUrl: string, keys: FirstKeys): readonly string[] {
  return [
    'These keys are shown once. Only their hashes are stored. Copy them into another terminal:',
    '',
    `  export SCHNEEAI_URL=${baseUrl}`,
    `  export SCHNEEAI_KEY=${keys.chat}`,
    `  export SCHNEEAI_OPERATOR_KEY=${keys.operator}`,
    '',
    'Then ask something:',
    '',
    '  curl -s $SCHNEEAI_URL/v1/chat/completions -H "authorization: Bearer $SCHNEEAI_KEY" \\',
    `    -H 'content-type: application/json' \\`,
    `    -d '{"model":"gpt-4o-mini","messages":[{"role":"user","content":"How deep is the snow?"}]}'`,
    '',
  ];
}

function later(): readonly string[] {
  return ['The keys were shown at the first run. For a new one: npm run schneeai -- keys create --help', ''];
}
