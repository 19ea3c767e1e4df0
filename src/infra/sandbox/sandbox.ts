import type { SandboxControl, SandboxProvider } from '../../usecase/port/sandbox-control';
import { FAULT_DESCRIPTIONS, faultPreset } from '../simulator/fault-preset';
import { SimulatedProvider } from '../simulator/simulated-provider';
import type { SandboxCredentials } from './sandbox-credentials';

type SimulatedName = 'openai' | 'anthropic';

/** So that a stream is seen to stream. */
const CHUNK_DELAY_MS = 30;

type Switched = { readonly provider: SimulatedProvider; fault: string };

/** Simulated providers on loopback, with their real wire formats and switchable faults (DESIGN §9). */
export class Sandbox implements SandboxControl {
  private readonly switched: ReadonlyMap<string, Switched>;

  private constructor(private readonly started: Readonly<Record<SimulatedName, SimulatedProvider>>) {
    this.switched = new Map(
      Object.entries(started).map(([name, provider]) => [name, { provider, fault: 'healthy' }]),
    );
  }

  static async start(credentials: SandboxCredentials): Promise<Sandbox> {
    const start = (name: SimulatedName): Promise<SimulatedProvider> =>
      SimulatedProvider.start({
        wire: name,
        name,
        apiKey: credentials.issue(name),
        chunkDelayMs: CHUNK_DELAY_MS,
      });
    return new Sandbox({ openai: await start('openai'), anthropic: await start('anthropic') });
  }

  baseUrl(name: SimulatedName): string {
    return this.started[name].baseUrl;
  }

  providers(): readonly SandboxProvider[] {
    return [...this.switched].map(([name, { provider, fault }]) => ({
      name,
      fault,
      calls: provider.received.length,
    }));
  }

  faults(): readonly Readonly<{ name: string; description: string }>[] {
    return Object.entries(FAULT_DESCRIPTIONS).map(([name, description]) => ({ name, description }));
  }

  switchFault(name: string, fault: string): 'switched' | 'unknown_provider' | 'unknown_fault' {
    const switched = this.switched.get(name);
    const behaviour = faultPreset(fault);
    if (switched === undefined) return 'unknown_provider';
    if (behaviour === undefined) return 'unknown_fault';
    switched.provider.setBehaviour(behaviour);
    switched.fault = fault;
    return 'switched';
  }

  async stop(): Promise<void> {
    await Promise.all([...this.switched.values()].map(({ provider }) => provider.stop()));
  }
}
