import { defineErrors } from '../../kernel/error.ts';

export const searchErrors = defineErrors({
  embedder_unavailable: {
    status: 503,
    message: 'The embedding service did not answer.',
    next: 'Check that it is running and its address is right; meanwhile, search uses words only.',
    retryable: true,
  },
  embedder_refused: {
    status: 502,
    message: 'The embedding service rejected the request or returned something other than an embedding.',
    next: 'Check the model name and the key of the embedding service.',
  },
  word_vectors_missing: {
    status: 500,
    message: 'The word vectors that come with Baton are missing or damaged.',
    next: 'Reinstall Baton, or restore its folder data/word-vectors.',
  },
});
