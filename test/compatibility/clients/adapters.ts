/** Both adapters as a client sees them: a model name, and who speaks in the simulated answers. */
export const ADAPTERS = [
  { speaker: 'openai', model: 'gpt-4o-mini' },
  { speaker: 'anthropic', model: 'claude-haiku-4-5' },
] as const;
