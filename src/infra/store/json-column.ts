/** JSON is kept as text: the one form that every dialect stores and returns unchanged. */
export function toJson(value: unknown): string {
  return JSON.stringify(value);
}

/** Stored JSON was written by us, so its shape is taken on trust. */
export function fromJson<T>(text: string): T {
  return JSON.parse(text) as T;
}

export function toNullableJson(value: object | null): string | null {
  return value === null ? null : JSON.stringify(value);
}

export function fromNullableJson<T>(text: string | null): T | null {
  return text === null ? null : fromJson<T>(text);
}
