const WORDS: Readonly<Record<string, string>> = {
  semantic: 'a fact',
  procedural: 'a habit',
  episodic: 'an event',
};

/** The types as the protocol names them, as a person would. */
export const memoryTypeWords = (type: string): string => WORDS[type] ?? type;
