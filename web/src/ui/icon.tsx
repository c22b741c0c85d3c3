/** Drawn on a 20 by 20 grid with one stroke width, so that they sit together. */
const shapes = {
  home: 'M3 10.5 10 4l7 6.5M5 9v7.5h10V9M8.5 16.5v-4h3v4',
  inbox:
    'M3 11.5 5.2 4.6A1 1 0 0 1 6.2 4h7.6a1 1 0 0 1 1 .6L17 11.5v3.5a1 1 0 0 1-1 1H4a1 1 0 0 1-1-1zM3 11.5h4l1 2h4l1-2h4',
  journal:
    'M5 3.5h9.5a1 1 0 0 1 1 1v12H6a1.5 1.5 0 0 1-1.5-1.5V4a.5.5 0 0 1 .5-.5M4.5 15A1.5 1.5 0 0 1 6 13.5h9.5M8 7h4.5M8 10h3',
  verify: 'M10 2.8 4 5v4.8c0 3.6 2.4 6 6 7.4 3.6-1.4 6-3.8 6-7.4V5zM7.4 9.8l1.9 1.9 3.4-3.6',
  settings: 'M3.5 6h6M13.5 6h3M3.5 14h3M10.5 14h6M11.5 4v4M8.5 12v4',
  check: 'm4.5 10.5 3.5 3.5 7.5-8',
  cross: 'M5.5 5.5 14.5 14.5M14.5 5.5 5.5 14.5',
  warning: 'M10 3.5 17.5 16h-15zM10 8.2v3.6M10 13.9v.1',
  plus: 'M10 4v12M4 10h12',
  why: 'M10 16.5V11M10 11 5 6M10 11l5-5M5 6V3.5M15 6V3.5M7.800 16.500h4.400',
  compare: 'M6.500 4v12M13.500 4v12M3.500 7l3-3 3 3M10.500 13l3 3 3-3',
  info: 'M10 3a7 7 0 1 0 0 14 7 7 0 0 0 0-14M10 9.2v4M10 6.6v.1',
  copy: 'M7.5 7.5h8v8h-8zM5 12.5h-.5v-8h8V5',
  search: 'M9 4a5 5 0 1 0 0 10A5 5 0 0 0 9 4M12.7 12.7 16.5 16.5',
  menu: 'M3.5 6h13M3.5 10h13M3.5 14h13',
  sun: 'M10 6.8a3.2 3.2 0 1 0 0 6.4 3.2 3.2 0 0 0 0-6.4M10 2.8v1.4M10 15.8v1.4M2.8 10h1.4M15.8 10h1.4M4.9 4.9l1 1M14.1 14.1l1 1M15.1 4.9l-1 1M5.9 14.1l-1 1',
  moon: 'M16 11.8A6.4 6.4 0 0 1 8.2 4a6.4 6.4 0 1 0 7.8 7.8',
  system: 'M3.5 4.5h13v9h-13zM7.5 16.5h5M10 13.5v3',
  left: 'm12 5-5 5 5 5',
  right: 'm8 5 5 5-5 5',
  down: 'm5 8 5 5 5-5',
  download: 'M10 3.5v8.5M6.5 8.8 10 12.2l3.5-3.4M4 16h12',
  upload: 'M10 12.5V4M6.5 7.3 10 3.8l3.5 3.5M4 16h12',
  lock: 'M5 9h10v7.5H5zM7 9V6.8a3 3 0 0 1 6 0V9',
  key: 'M7 9.5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7M9.6 10.6 16.5 3.7M13.2 7l2.3 2.3',
  person: 'M10 4a3 3 0 1 0 0 6 3 3 0 0 0 0-6M4 16.5c.6-3 3-4.5 6-4.5s5.4 1.5 6 4.5',
  agent: 'M5 7.5h10v8H5zM10 7.5V4.2M10 4.1v.1M7.8 11v.6M12.2 11v.6M3 10.5v2M17 10.5v2',
  script: 'M4 5h12v10H4zM6.5 8.5 8.5 10l-2 1.5M10 12h3.5',
  pause: 'M7.5 5v10M12.5 5v10',
  leave: 'M8.5 4H4.5v12h4M8 10h8.5M13.5 7l3 3-3 3',
  clock: 'M10 3a7 7 0 1 0 0 14 7 7 0 0 0 0-14M10 6.2V10l2.6 1.8',
  filter: 'M3.5 5h13L12 10.5V16l-4-1.8v-3.7z',
  terminal: 'M3.5 4.5h13v11h-13zM6.5 8l2.2 2-2.2 2M10.5 12.2h3',
  spark: 'M10 3v4M10 13v4M3 10h4M13 10h4',
  edit: 'M4 16l.8-3.4 8.4-8.4 2.6 2.6-8.4 8.4zM11.6 5.8l2.6 2.6',
  context: 'M4 5h12M4 10h8M4 15h5M14.5 12.5v5M12 15h5',
  policy:
    'M10 3v13M5 16.5h10M10 5 4.5 6.5M10 5l5.5 1.5M2.5 11.5l2-5 2 5a2.1 2.1 0 0 1-4 0M13.5 11.5l2-5 2 5a2.1 2.1 0 0 1-4 0',
  memory: 'M10 16.5S3.5 13 3.5 8.2A3.4 3.4 0 0 1 10 6.6a3.4 3.4 0 0 1 6.5 1.6C16.5 13 10 16.5 10 16.5',
  run: 'M4 4.5h4v4H4zM12 11.5h4v4h-4zM8 6.5h4a2 2 0 0 1 2 2v3M6 8.5v3a2 2 0 0 0 2 2h4',
  trace: 'M3.5 5h7M6 10h8M9.5 15h7',
  up: 'm5 12 5-5 5 5',
  trash: 'M4 5.5h12M8 5.5V3.8h4v1.7M5.5 5.5l.7 11h7.6l.7-11M8.5 9v4.5M11.5 9v4.5',
  eye: 'M2.5 10S5 5 10 5s7.5 5 7.5 5-2.500 5-7.500 5-7.500-5-7.500-5M10 8a2 2 0 1 0 0 4 2 2 0 0 0 0-4',
  file: 'M5.5 3.5h6l3 3v10h-9zM11.5 3.5v3h3',
} as const;

export type IconName = keyof typeof shapes;

interface IconProps {
  readonly name: IconName;
  readonly size?: number;
  readonly className?: string;
  /** Instead of the colour of the text around it. */
  readonly color?: string | undefined;
}

export function Icon({ name, size = 18, className, color = 'currentColor' }: IconProps) {
  return (
    <svg
      viewBox="0 0 20 20"
      width={size}
      height={size}
      fill="none"
      stroke={color}
      strokeWidth={1.5}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      className={`shrink-0 ${className ?? ''}`}
    >
      <path d={shapes[name]} />
    </svg>
  );
}
