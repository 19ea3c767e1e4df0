type Address = Readonly<{ host: string; port: number }>;

const WORDS: Readonly<Record<string, (address: Address) => string>> = {
  EADDRINUSE: ({ host, port }) =>
    `Port ${port} of ${host} is taken by another process. Stop that one, or set PORT to a free port.`,
  EACCES: ({ port }) => `This user may not listen on port ${port}. Set PORT to one from 1024 on.`,
  EADDRNOTAVAIL: noAddress,
  ENOTFOUND: noAddress,
  EAI_AGAIN: noAddress,
};

/** Why the gateway can't listen there, in the words of its settings; what has no words of ours keeps its own. */
export function addressRefused(cause: NodeJS.ErrnoException, address: Address): Error {
  const words = WORDS[cause.code ?? ''];
  return words === undefined ? cause : new Error(words(address), { cause });
}

function noAddress({ host }: Address): string {
  return `HOST must be an address of this machine, not '${host}'.`;
}
