/** A canvas knows no custom properties: the colour that an element would have now, in the theme that is shown. */
export function resolveColor(within: HTMLElement, css: string): string {
  const probe = document.createElement('span');
  probe.style.color = css;
  within.append(probe);
  const color = getComputedStyle(probe).color;
  probe.remove();
  return color;
}
