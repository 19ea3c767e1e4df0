/** Ids are opaque text; those that we mint are ULIDs with a prefix (`req_…`, `key_…`), so they sort by time. */
export type TenantId = string;
export type ApiKeyId = string;
export type ProviderId = string;
export type ChannelId = string;
export type OfferingId = string;
/** The public name of a model in the catalog, e.g. `gpt-4o-mini`. */
export type ModelName = string;
/** Our id of one interaction; the caller sees it as `x-request-id`. */
export type RequestId = string;
