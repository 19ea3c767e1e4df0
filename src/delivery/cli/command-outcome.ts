/** What a command prints and how the process ends. Exit codes: 0 done, 1 refused or failed, 2 called wrongly. */
export type CommandOutcome = Readonly<{ exitCode: number; output: string }>;
