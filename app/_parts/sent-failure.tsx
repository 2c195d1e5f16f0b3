import { sentForm } from '@/app/_server/form'
import { FailureMessage } from '@/app/_ui/base/failure'

/** Says why a form that was sent without scripts could not be read, where no form of the page can say it. */
export async function SentFailure() {
  const sent = await sentForm()
  if (!sent || sent.form !== null || sent.failure === null) return null
  return (
    <div className="pt-4">
      <FailureMessage>{sent.failure}</FailureMessage>
    </div>
  )
}
