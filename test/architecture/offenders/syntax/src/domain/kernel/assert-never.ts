export const assertNever = (impossible: never): never => {
  throw new Error(String(impossible));
};
