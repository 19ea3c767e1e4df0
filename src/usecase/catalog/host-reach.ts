/** `never`: no channel may lead there. `private`: into somebody's own machine or network. */
export type Reach = 'public' | 'private' | 'never';

/** Names under which clouds serve credentials to whoever asks from inside. */
const METADATA_NAMES: readonly string[] = [
  'metadata',
  'metadata.google.internal',
  'metadata.goog',
  'instance-data',
];

/** Where a host name of a parsed URL leads, as far as the name alone tells. */
export function reachOfHost(hostname: string): Reach {
  const host = hostname.toLowerCase().replace(/\.$/, '');
  if (host.startsWith('[')) return reachOfV6(octetsOf(host.slice(1, -1)));
  if (/^\d+\.\d+\.\d+\.\d+$/.test(host)) return reachOfV4(host.split('.').map(Number));
  if (METADATA_NAMES.includes(host)) return 'never';
  // A single label and these endings resolve inside somebody's own network only (RFC 6761, RFC 6762).
  return host.includes('.') && !/\.(?:localhost|local|internal|lan|home\.arpa)$/.test(host)
    ? 'public'
    : 'private';
}

type Block = Readonly<{ prefix: readonly number[]; bits: number; reach: Reach }>;

/** IANA special-purpose registries, and the fixed addresses of cloud metadata services; the first match wins. */
const V4_BLOCKS: readonly Block[] = [
  { prefix: [0], bits: 8, reach: 'never' },
  { prefix: [169, 254], bits: 16, reach: 'never' },
  { prefix: [100, 100, 100, 200], bits: 32, reach: 'never' }, // Alibaba Cloud metadata
  { prefix: [168, 63, 129, 16], bits: 32, reach: 'never' }, // Azure platform
  { prefix: [192, 0, 0, 192], bits: 32, reach: 'never' }, // Oracle Cloud metadata
  { prefix: [224], bits: 3, reach: 'never' }, // multicast, reserved, broadcast
  { prefix: [10], bits: 8, reach: 'private' },
  { prefix: [127], bits: 8, reach: 'private' },
  { prefix: [172, 16], bits: 12, reach: 'private' },
  { prefix: [192, 168], bits: 16, reach: 'private' },
  { prefix: [100, 64], bits: 10, reach: 'private' },
  { prefix: [192, 0, 0], bits: 24, reach: 'private' },
  { prefix: [198, 18], bits: 15, reach: 'private' },
];

const V6_LOOPBACK = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1];

const V6_BLOCKS: readonly Block[] = [
  { prefix: V6_LOOPBACK, bits: 128, reach: 'private' },
  { prefix: [], bits: 128, reach: 'never' },
  { prefix: [0xfd, 0x00, 0x0e, 0xc2], bits: 32, reach: 'never' }, // AWS metadata
  { prefix: [0xfe, 0x80], bits: 10, reach: 'never' },
  { prefix: [0xff], bits: 8, reach: 'never' },
  { prefix: [0xfe, 0xc0], bits: 10, reach: 'private' },
  { prefix: [0xfc], bits: 7, reach: 'private' },
];

type Embedding = Readonly<{ prefix: readonly number[]; bits: number; at: number }>;

/** Where an IPv6 address holds the IPv4 one that it stands for. */
const EMBEDDINGS: readonly Embedding[] = [
  { prefix: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff], bits: 96, at: 12 }, // mapped
  { prefix: [0x00, 0x64, 0xff, 0x9b], bits: 96, at: 12 }, // NAT64
  { prefix: [0x20, 0x02], bits: 16, at: 2 }, // 6to4
];

function reachOfV4(octets: readonly number[]): Reach {
  return blockOf(V4_BLOCKS, octets)?.reach ?? 'public';
}

function reachOfV6(octets: readonly number[]): Reach {
  const embedding = blockOf(EMBEDDINGS, octets);
  if (embedding !== undefined) return reachOfV4(octets.slice(embedding.at, embedding.at + 4));
  return blockOf(V6_BLOCKS, octets)?.reach ?? compatibleReach(octets);
}

/** The deprecated compatible form, `::a.b.c.d`, which some systems still connect to. */
function compatibleReach(octets: readonly number[]): Reach {
  return octets.slice(0, 12).every((octet) => octet === 0) ? reachOfV4(octets.slice(12)) : 'public';
}

function blockOf<B extends Pick<Block, 'prefix' | 'bits'>>(
  blocks: readonly B[],
  octets: readonly number[],
): B | undefined {
  return blocks.find(({ prefix, bits }) => sharesBits(octets, prefix, bits));
}

function sharesBits(octets: readonly number[], prefix: readonly number[], bits: number): boolean {
  return octets.every((octet, index) => {
    const relevant = Math.min(8, Math.max(0, bits - index * 8));
    const mask = (0xff << (8 - relevant)) & 0xff;
    return (octet & mask) === ((prefix[index] ?? 0) & mask);
  });
}

/** The sixteen octets of an address that the URL parser has normalised. */
function octetsOf(address: string): readonly number[] {
  const [head = '', tail] = address.split('::');
  const parse = (part: string): number[] =>
    part === '' ? [] : part.split(':').map((group) => parseInt(group, 16));
  const left = parse(head);
  const right = tail === undefined ? [] : parse(tail);
  const groups = [...left, ...Array<number>(8 - left.length - right.length).fill(0), ...right];
  return groups.flatMap((group) => [group >> 8, group & 0xff]);
}
