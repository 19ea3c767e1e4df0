export interface IdGenerator {
  /** A new ULID with a prefix, e.g. `req_01HQ…`; ids of one process sort by time. */
  next(prefix: IdPrefix): string;
}

export type IdPrefix = 'req' | 'key' | 'ten' | 'ch' | 'off' | 'chatcmpl' | 'wri' | 'chg' | 'crd';
