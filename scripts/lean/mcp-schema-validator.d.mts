export class JsonSchemaValidator {
  getValidator(
    schema: object,
  ): (input: unknown) => { valid: boolean; data: unknown; errorMessage: string | undefined };
}
