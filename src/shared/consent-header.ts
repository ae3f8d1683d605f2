/** Carries the secret of a viewer tab that a person opened. */
export const consentHeader = "x-rookery-consent";
