import { type ReactNode, useState } from 'react'
import { useTranslations } from '#i18n'
import { Button } from '@/app/_ui/base/button'
import { CopyIconButton } from '@/app/_ui/base/copy-button'
import { FailureMessage } from '@/app/_ui/base/failure'
import { toast } from '@/app/_ui/base/toast'
import { verifyDomain } from '@/app/_ui/data/admin'
import { reasonOf } from '@/app/admin/_parts/reason-of'
import type { DomainView } from '@/lib/domains/schemas'

interface Props {
  domain: DomainView
  name: string
  onVerified: () => void
}

/** How to verify that a domain is one's own, and the question whether that has been done. */
export function Proof({ domain: { id, proof }, name, onVerified }: Props) {
  const t = useTranslations('admin.domains.proof')
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const verify = async () => {
    setBusy(true)
    setFailure(null)
    const result = await verifyDomain(id)
    setBusy(false)
    if (!result.ok) return setFailure(reasonOf(result.failure))
    toast(t('done', { name }))
    onVerified()
  }
  return (
    <div className="mb-3 rounded-control border border-line bg-bg p-4">
      <p className="text-sm">{t.rich('text', { b: (text) => <strong className="font-semibold">{text}</strong> })}</p>
      <div className="mt-3 grid gap-4 md:grid-cols-2">
        <Way title={t('txt')}>
          <Value label={t('name')} copy={t('copyName')} text={proof.txtName} />
          <Value label={t('value')} copy={t('copyValue')} text={proof.txtValue} />
        </Way>
        <Way title={t('file')}>
          <Value label={t('url')} copy={t('copyUrl')} text={proof.fileUrl} />
          <Value label={t('content')} copy={t('copyContent')} text={proof.fileContent} />
          <p className="mt-1 text-[13px] text-muted">{t('fileNote')}</p>
        </Way>
      </div>
      {failure && (
        <div className="mt-3">
          <FailureMessage>{failure}</FailureMessage>
        </div>
      )}
      <Button
        look="primary"
        className="mt-4"
        busy={busy}
        aria-label={busy ? undefined : t('verifyName', { name })}
        onClick={verify}
      >
        {busy ? t('verifying') : t('verify')}
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

/** @param copy what it is called in “Copy …” */
function Value({ label, copy, text }: { label: string; copy: string; text: string }) {
  return (
    <div className="mt-2 flex items-center gap-2">
      <p className="min-w-0 flex-1">
        <span className="block text-[13px] text-muted">{label}</span>
        <code className="block text-[13px] text-anywhere">{text}</code>
      </p>
      <CopyIconButton text={text} name={copy} />
    </div>
  )
}
