const WORDS =
  'ledger agent review deposit fact project session schema index journal token query window budget'.split(
    ' ',
  );

/**
 * Texts of about one kilobyte, none twice.
 * @param {string} maker tells the ids of one process from another's
 * @returns {(project: string) => string}
 */
export function packageTexts(maker) {
  let minted = 0;
  return (project) => {
    minted += 1;
    const words = (count) =>
      Array.from({ length: count }, (_, i) => WORDS[(minted * 7 + i * i) % WORDS.length]).join(' ');
    return JSON.stringify({
      package_id: `pkg_${maker}_${minted}`,
      project_id: project,
      relay_version: '0.1',
      title: `${words(5)} ${minted}`,
      status: 'complete',
      package_type: 'standard',
      review_type: 'none',
      created_at: new Date(Date.now() - minted).toISOString(),
      created_by: { id: 'bench', type: 'agent', session_id: null },
      description: words(40),
      decisions_made: [words(15), words(15)],
      open_questions: minted % 50 === 0 ? [`${words(6)} ${minted}?`] : [],
      handoff_note: words(20),
    });
  };
}
