import { Logo } from './logo.tsx';

/** For the moment before it is known who is there; appears late, so that a fast answer shows nothing of it. */
export function StartingPage() {
  return (
    <div role="status" className="grid min-h-dvh place-items-center [animation:fade-in_200ms_300ms_both]">
      <div className="flex items-center gap-3 text-soft">
        <Logo />
        Opening Baton…
      </div>
    </div>
  );
}
