/** Switches the faults of simulated providers. There is one in the sandbox only. */
export interface SandboxControl {
  providers(): readonly SandboxProvider[];
  /** What a provider can be made to do, with a line that says what each means. */
  faults(): readonly Readonly<{ name: string; description: string }>[];
  switchFault(provider: string, fault: string): 'switched' | 'unknown_provider' | 'unknown_fault';
}

export type SandboxProvider = Readonly<{ name: string; fault: string; calls: number }>;
