/**
 * This process's environment for programs that agents are or choose: without the credential of whoever runs us, and
 * without what would make git work elsewhere than where it is started.
 */
export function environmentOfOthers(): Record<string, string | undefined> {
  const names = Object.entries(process.env).filter(
    ([name]) => name !== 'BATON_TOKEN' && !GIT_PLACES.includes(name),
  );
  return Object.fromEntries(names);
}

const GIT_PLACES = [
  'GIT_DIR',
  'GIT_WORK_TREE',
  'GIT_INDEX_FILE',
  'GIT_COMMON_DIR',
  'GIT_OBJECT_DIRECTORY',
  'GIT_ALTERNATE_OBJECT_DIRECTORIES',
  'GIT_NAMESPACE',
  'GIT_PREFIX',
  'GIT_CONFIG_PARAMETERS',
  'GIT_CONFIG_COUNT',
  'GIT_REPLACE_REF_BASE',
];
