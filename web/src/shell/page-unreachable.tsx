import { useEffect, useState } from 'react';
import { client } from '../api/client.ts';
import { Button } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { Spinner } from '../ui/spinner.tsx';

const LOOK_MS = 1_000;
const TOO_SOON_MS = 15_000;
const KEY = 'baton.reloaded';

/** Opens by itself when the server answers again. A page that cannot be fetched although it answers is not asked for over and over. */
export function PageUnreachable() {
  const [gaveUp, setGaveUp] = useState(false);
  useEffect(() => {
    if (gaveUp) return;
    const timer = setInterval(() => {
      client.call('system.health', {}).then(
        () => {
          const last = Number(sessionStorage.getItem(KEY) ?? 0);
          if (Date.now() - last < TOO_SOON_MS) return setGaveUp(true);
          sessionStorage.setItem(KEY, String(Date.now()));
          location.reload();
        },
        () => undefined,
      );
    }, LOOK_MS);
    return () => clearInterval(timer);
  }, [gaveUp]);
  return (
    <div role="alert">
      <EmptyState icon="warning" title={gaveUp ? 'This page could not be fetched' : 'Baton does not answer'}>
        {gaveUp ? (
          <>
            The server answers, but not with this page. It may be starting, or a newer version took its place.
            <span className="mt-4 flex justify-center">
              <Button onClick={() => location.reload()}>Reload</Button>
            </span>
          </>
        ) : (
          <>
            This page opens as soon as it is back; nothing is lost.
            <span className="mt-4 flex justify-center">
              <Spinner />
            </span>
          </>
        )}
      </EmptyState>
    </div>
  );
}
