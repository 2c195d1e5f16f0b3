import { toast } from '@/app/_ui/base/toast'

/** Takes away what was said of the last draft, as when its form opens again or the page that opens it is left. */
export let dismissDraftToast = () => {}

/** Says what became of a draft; only the last one is spoken of. */
export function draftToast(...said: Parameters<typeof toast>): void {
  dismissDraftToast()
  dismissDraftToast = toast(...said)
}
