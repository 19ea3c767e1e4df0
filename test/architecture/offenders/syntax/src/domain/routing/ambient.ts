export const offences = (): unknown[] => [
  new Date(0), // offends: no-restricted-globals Date
  performance.now(), // offends: no-restricted-globals performance
  crypto.randomUUID(), // offends: no-restricted-globals crypto
  setTimeout(offences, 1), // offends: no-restricted-globals setTimeout
  setInterval(offences, 1), // offends: no-restricted-globals setInterval
  setImmediate(offences), // offends: no-restricted-globals setImmediate
  queueMicrotask(offences), // offends: no-restricted-globals queueMicrotask
  fetch, // offends: no-restricted-globals fetch
  process.nextTick(offences), // offends: no-restricted-globals process
  console.log('heard'), // offends: no-restricted-globals console
  globalThis.name, // offends: no-restricted-globals globalThis
  AbortSignal.abort(), // offends: no-restricted-globals AbortSignal
  new AbortController(), // offends: no-restricted-globals AbortController
];
