import { type ReactNode, useState } from 'react'
import { toast } from 'sonner'
import { Button } from '@/app/_ui/base/button'
import { CopyIconButton } from '@/app/_ui/base/copy-button'
import { FailureMessage } from '@/app/_ui/base/failure'
import { verifyDomain } from '@/app/_ui/data/admin'
import { reasonOf } from '@/app/admin/_parts/act'
import type { DomainView } from '@/lib/domains/schemas'

interface Props {
  domain: DomainView
  name: string
  onVerified: () => void
}

/** How to prove that a domain is one's own, and the question whether that has been done. */
export function Proof({ domain: { id, proof }, name, onVerified }: Props) {
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const verify = async () => {
    setBusy(true)
    setFailure(null)
    const result = await verifyDomain(id)
    setBusy(false)
    if (!result.ok) return setFailure(reasonOf(result.failure))
    toast(`${name} is yours, and is served now`)
    onVerified()
  }
  return (
    <div className="mb-3 rounded-control border border-line bg-bg p-4">
      <p className="text-sm">
        Prove that this domain is yours, by <strong className="font-semibold">one</strong> of these:
      </p>
      <div className="mt-3 grid gap-4 md:grid-cols-2">
        <Way title="A TXT record in its DNS">
          <Value label="Name" text={proof.txtName} />
          <Value label="Value" text={proof.txtValue} />
        </Way>
        <Way title="A file on it">
          <Value label="Address" text={proof.fileUrl} />
          <Value label="Content" text={proof.fileContent} />
          <p className="mt-1 text-[13px] text-muted">If the domain points to this server already, it is there.</p>
        </Way>
      </div>
      {failure && (
        <div className="mt-3">
          <FailureMessage>{failure}</FailureMessage>
        </div>
      )}
      <Button look="primary" className="mt-4" busy={busy} onClick={verify}>
        {busy ? 'Looking…' : 'Verify'}
        <span className="sr-only"> {name}</span>
      </Button>
    </div>
  )
}

function Way({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <h3 className="text-sm font-medium">{title}</h3>
      {children}
    </div>
  )
}

function Value({ label, text }: { label: string; text: string }) {
  return (
    <div className="mt-2 flex items-center gap-2">
      <p className="min-w-0 flex-1">
        <span className="block text-[13px] text-muted">{label}</span>
        <code className="block text-[13px] text-anywhere">{text}</code>
      </p>
      <CopyIconButton text={text} name={label.toLowerCase()} />
    </div>
  )
}
