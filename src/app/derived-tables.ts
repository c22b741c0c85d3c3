import { contextSearchSources } from '../slices/context/search-sources.ts';
import { memorySearchSource } from '../slices/memory/memories/search-document.ts';
import { spanSearchSource } from '../slices/relay/traces/index-texts.ts';
import type { DerivedCheck } from '../spine/journal/verify/derived-slot.ts';
import { searchIndexCheck } from '../spine/search/check/index-check.ts';
import type { Embedder } from '../spine/search/vectors/embedder.ts';
import { createStaticEmbedder } from '../spine/search/vectors/static-embedder.ts';
import { causeCheck } from '../spine/why/cause-check.ts';

let embedder: Embedder | undefined;

/** How tables that are made from others are made again, whatever part of the product a process is. */
export const derivedTables: readonly DerivedCheck[] = [
  searchIndexCheck([...contextSearchSources, memorySearchSource, spanSearchSource], () => {
    embedder ??= createStaticEmbedder();
    return embedder;
  }),
  causeCheck,
];
