type Text = string | readonly string[];

/** What a text stands for where an input takes it: what is left of a schema for whoever only reads texts. */
export type TextForm = 'text' | 'number' | 'boolean' | 'json' | 'list' | 'json list';

/** Text that does not fit is left as it is, so that the schema refuses it with its own words. */
export function decodeForm(form: TextForm, text: Text): unknown {
  if (form === 'list' || form === 'json list') {
    const items = typeof text === 'string' ? [text] : text;
    if (form === 'json list') return items.flatMap(structured);
    return items.flatMap((item) => item.split(',')).filter(Boolean);
  }
  const single = typeof text === 'string' ? text : text.at(-1);
  if (single === undefined) return undefined;
  if (form === 'number' && /^-?\d+(\.\d+)?$/.test(single)) return Number(single);
  if (form === 'boolean')
    return { '': true, '1': true, true: true, '0': false, false: false }[single] ?? single;
  return form === 'json' ? structured(single) : single;
}

function structured(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
