import { answerApi } from '@/lib/api/router'

/** The API where server.ts does not own the socket: `next dev`, `next start`, serverless hosts. HEAD comes by GET. */
export { answerApi as DELETE, answerApi as GET, answerApi as OPTIONS, answerApi as PATCH, answerApi as POST, answerApi as PUT }
