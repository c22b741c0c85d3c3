/** Peers are installed on demand, so the type check must not need them. */
declare module 'casbin';
declare module '@cedar-policy/cedar-wasm/nodejs';
declare module 'minisearch';
declare module '@orama/orama';
declare module 'http-proxy';
declare module '@langchain/langgraph';
declare module '@langchain/langgraph-checkpoint-sqlite';
