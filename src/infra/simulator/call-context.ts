import type { Charge } from './charge';
import type { Prompt } from './prompt';
import type { Reply } from './reply';
import type { CallIdentity, WireFormat } from './wire-format';

/** What performing a behaviour needs to know about the call and its server. */
export type CallContext = Readonly<{
  wire: WireFormat;
  identity: CallIdentity;
  prompt: Prompt;
  reply: Reply;
  /** The provider's name, which speaks in made-up answers. */
  speaker: string;
  chunkDelayMs: number;
  /** Settles at the next release after this call's arrival. */
  released: Promise<void>;
  bill: (charge: Omit<Charge, 'callIndex'>) => void;
}>;
