import type { ReactNode } from 'react';
import { Icon, type IconName } from './icon.tsx';

export function EmptyState({
  icon,
  title,
  children,
}: {
  icon: IconName;
  title: string;
  children?: ReactNode;
}) {
  return (
    <div className="flex flex-1 flex-col items-center justify-center gap-3 px-6 py-14 text-center">
      <span className="flex size-11 items-center justify-center rounded-full bg-sunken text-faint">
        <Icon name={icon} size={20} />
      </span>
      <p className="font-semibold text-lead">{title}</p>
      {children && <div className="max-w-[46ch] text-soft">{children}</div>}
    </div>
  );
}
