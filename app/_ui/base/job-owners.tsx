import { useQueryClient } from '@tanstack/react-query'
import { useTranslations } from '#i18n'
import { startImport } from '@/app/_ui/data/jobs'
import { useForm } from '@/app/_ui/data/use-form'
import { ownersIn } from '@/lib/forms/import'
import { broughtBy } from '@/lib/jobs/brought'
import type { JobView, NamedOwner } from '@/lib/jobs/schemas'
import { Button } from './button'
import { FailureMessage } from './failure'
import { Form } from './form'
import { OwnerFields } from './owner-fields'

interface Props {
  job: JobView
  owners: readonly NamedOwner[]
}

/** Asks whose the links of an import become, and starts it. */
export function JobOwners({ job, owners }: Props) {
  const t = useTranslations('base.job')
  const client = useQueryClient()
  const form = useForm(async (data) => {
    const result = await startImport(job.number, ownersIn(data) ?? {})
    if (!result.ok) return result.failure
    client.setQueryData(['job', job.number], result.value)
    return null
  })
  return (
    <Form
      name={null}
      ref={form.ref}
      onSubmit={form.onSubmit}
      aria-label={t('owners.title')}
      className="mt-4 space-y-4 border-t border-line pt-4"
    >
      <OwnerFields owners={owners} errors={form.errors} onType={form.clear} />
      {form.failure && <FailureMessage>{form.failure}</FailureMessage>}
      <Button type="submit" size="small" look="primary" busy={form.pending}>
        {t('start', { count: broughtBy(job.counts) })}
      </Button>
    </Form>
  )
}
