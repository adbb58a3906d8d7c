/* Writes a log without findings. */
#include <sarif/sarif.h>

#include <stdio.h>

int main(void)
{
    const SarifRun run = {.tool = {.name = SARIF_TEXT("consumer"), .version = SARIF_TEXT("1.0")}};
    SarifOutput output;
    SarifStatus status = sarif_write(&run, 1, NULL, &output);
    if (status != SARIF_OK) {
        fprintf(stderr, "%s\n", sarif_status_text(status));
        return 1;
    }
    fwrite(output.data, 1, output.size, stdout);
    sarif_output_free(&output, NULL);
    return 0;
}
