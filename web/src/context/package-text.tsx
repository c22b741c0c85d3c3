import { useQuery } from '@tanstack/react-query';
import { counted } from '../numbers.ts';
import { saveFile } from '../save-file.ts';
import { Button } from '../ui/button.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { JsonView } from '../ui/json-view.tsx';
import { QueryView } from '../ui/query-view.tsx';
import { verbatimQuery } from './queries.ts';

/** Indented to be read; copied and saved exactly as it is kept. */
export function PackageText({ project, id }: { project: string; id: string }) {
  const query = useQuery(verbatimQuery(project, id));
  return (
    <QueryView query={query} rows={10} rowClassName="h-6">
      {(text) => (
        <>
          <div className="mb-2 flex flex-wrap items-center justify-between gap-2">
            <p className="text-small text-soft">
              {counted(new TextEncoder().encode(text).length, 'byte')}, kept as its author wrote it.
            </p>
            <span className="flex items-center gap-1">
              <CopyButton text={text} label="Copy the exact text" />
              <Button icon="download" onClick={() => saveFile(`${id}.json`, text)}>
                Save
              </Button>
            </span>
          </div>
          <JsonView value={JSON.parse(text)} label="The package as JSON" />
        </>
      )}
    </QueryView>
  );
}
