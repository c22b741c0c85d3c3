import { useEffect, useRef, useState } from 'react';
import { TextField } from './field.tsx';

interface SearchBoxProps {
  readonly label: string;
  readonly placeholder?: string;
  readonly hideLabel?: boolean;
  readonly className?: string;
  readonly words: string;
  readonly onSearch: (words: string) => void;
}

const PAUSE_MS = 250;

/** Asks the server when the typing pauses: what is not on this page is found too. */
export function SearchBox({ words, onSearch, ...field }: SearchBoxProps) {
  const [typed, setTyped] = useState(words);
  const search = useRef(onSearch);
  search.current = onSearch;
  useEffect(() => {
    if (typed.trim() === words) return;
    const pause = setTimeout(() => search.current(typed.trim()), PAUSE_MS);
    return () => clearTimeout(pause);
  }, [typed, words]);
  return (
    <TextField {...field} type="search" value={typed} onChange={(event) => setTyped(event.target.value)} />
  );
}
