/** What a banned account is told. */
export function banMessage({ banReason }: { banReason?: string | null | undefined }): string {
  return `This account was banned.${banReason ? ` Why: ${banReason}` : ''}`
}
