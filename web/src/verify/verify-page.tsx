import { maySee, useMe } from '../api/session.ts';
import { VerificationCard } from '../home/verification-card.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { FileChecker } from './file-checker.tsx';

export function VerifyPage() {
  const me = useMe();
  return (
    <>
      <PageHeader
        title="Verify"
        lead="Check a file that Baton wrote. It is read and recomputed in this browser, and sent nowhere."
      />
      <div className="grid grid-cols-1 items-start gap-4 xl:grid-cols-[minmax(0,1fr)_22rem]">
        <FileChecker />
        {maySee(me, 'journal:verify') && <VerificationCard />}
      </div>
    </>
  );
}
