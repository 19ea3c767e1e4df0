/** The figures of PERFORMANCE's target table and those beside it. `best: 'low'`: must and goal are upper bounds. */
const ratio = ({ limit, gateway }) => gateway / limit;
const gatewayOnly = ({ gateway }) => gateway;

/** Those that were measured. */
export function figuresOf(streamCounts, samples) {
  return allFigures(streamCounts).filter(({ sample }) => sample in samples);
}

const allFigures = (streamCounts) => [
  paired('CPU per unstreamed request, µs', 'requestCpuUs', { must: 5, goal: 4.25 }),
  paired('requests/s, 64 connections', 'requestsPerSecond', { must: 0.16, goal: 0.2, best: 'high' }),
  paired('added p50 at 200/s, ms', 'addedP50Ms', { must: 5, goal: 3.5 }),
  {
    ...paired('added p99 at 1,000/s, ms', 'addedP99Ms', { must: 20, goal: 8 }),
    value: gatewayOnly,
    unit: 'ms',
  },
  ...streamCounts.flatMap((count) => streamFigures(count)),
  paired('translated stream, CPU per chunk, µs (÷ our own untranslated)', 'translatedCpuUs', {
    must: 2.5,
    goal: 2,
  }),
  paired('memory at rest, MB', 'restMb', {}),
  paired('cold start to first answer, ms', 'coldStartMs', { must: 4, goal: 2.5 }),
];

function streamFigures(count) {
  const targets = count === 1_000;
  const name = `${count.toLocaleString('en')} streams`;
  return [
    paired(`${name}: CPU per chunk, µs`, `chunkCpuUs${count}`, targets ? { must: 1.6, goal: 1.35 } : {}),
    paired(
      `${name}: chunks/s`,
      `chunksPerSecond${count}`,
      targets ? { must: 0.65, goal: 0.8, best: 'high' } : { best: 'high' },
    ),
    paired(`${name}: added chunk delay, median, ms`, `chunkDelayMs${count}`, {}),
    paired(`${name}: peak memory, MB`, `peakMb${count}`, targets ? { must: 1.9, goal: 1.5 } : {}),
  ];
}

function paired(label, sample, { must = null, goal = null, best = 'low' }) {
  return { label, sample, must, goal, best, value: ratio, unit: '×' };
}
