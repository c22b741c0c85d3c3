import { Link, type LinkProps } from '@tanstack/react-router';
import type { ReactNode } from 'react';

interface TextLinkProps {
  readonly to: string;
  readonly search?: Readonly<Record<string, string | number | undefined>>;
  readonly className?: string;
  readonly children: ReactNode;
}

/** A way on, in words. */
export function TextLink({ to, search, className, children }: TextLinkProps) {
  return (
    <Link
      to={to as LinkProps['to']}
      {...(search && { search: search as never })}
      className={`font-medium text-accent underline-offset-4 hover:underline ${className ?? ''}`}
    >
      {children}
    </Link>
  );
}
