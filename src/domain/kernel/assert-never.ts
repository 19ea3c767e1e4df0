/** Marks a branch that the compiler has proved unreachable; reaching it is a defect, so it throws. */
export function assertNever(value: never): never {
  throw new Error(`Unexpected value: ${JSON.stringify(value)}`);
}
