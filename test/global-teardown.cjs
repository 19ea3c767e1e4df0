module.exports = async () => {
  await globalThis.stopTestPostgres?.();
};
