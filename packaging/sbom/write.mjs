// Writes the bill of materials (CycloneDX 1.6, JSON) of a release, and checks it against the specification.
//
//     node write.mjs < description.json > sbom.json       description.json: packaging/materials.py
//     node write.mjs --check sbom.json
import { createHash } from "node:crypto"
import { readFileSync } from "node:fs"
import { PackageURL } from "packageurl-js"
import { Enums, Models, Serialize, Spec, Validation } from "@cyclonedx/cyclonedx-library"

async function check(text) {
    const errors = await new Validation.JsonStrictValidator(Spec.Version.v1dot6).validate(text)
    if (errors !== null) {
        console.error(JSON.stringify(errors, null, 2))
        process.exit(1)
    }
}

function component(described) {
    const { purl } = described
    const url = purl && new PackageURL(purl.type, purl.namespace, described.name, described.version, purl.qualifiers)
    const made = new Models.Component(Enums.ComponentType[described.type], described.name, {
        version: described.version,
        description: described.description,
        bomRef: url?.toString() ?? described.name,
        purl: url,
    })
    if (described.licence) {
        made.licenses.add(
            / (?:AND|OR|WITH) /.test(described.licence)
                ? new Models.LicenseExpression(described.licence)
                : new Models.SpdxLicense(described.licence),
        )
    }
    if (described.sha256) {
        made.hashes.set(Enums.HashAlgorithm["SHA-256"], described.sha256)
    }
    return made
}

// The same description gives the same serial number: its hash, in the form of a version 5 UUID.
function serialNumber(text) {
    const hex = createHash("sha256").update(text).digest("hex")
    const variant = ((parseInt(hex[16], 16) & 3) | 8).toString(16)
    const parts = [hex.slice(0, 8), hex.slice(8, 12), `5${hex.slice(13, 16)}`, variant + hex.slice(17, 20), hex.slice(20, 32)]
    return `urn:uuid:${parts.join("-")}`
}

async function write(text) {
    const described = JSON.parse(text)
    const bom = new Models.Bom({ serialNumber: serialNumber(text) })
    bom.metadata.timestamp = new Date(described.epoch * 1000)
    const program = component(described.program)
    bom.metadata.component = program
    for (const material of described.materials) {
        const made = component(material)
        program.dependencies.add(made.bomRef)
        bom.components.add(made)
    }
    for (const file of described.files) {
        bom.components.add(component({ ...file, type: "File" }))
    }
    const serializer = new Serialize.JsonSerializer(new Serialize.JSON.Normalize.Factory(Spec.Spec1dot6))
    const json = serializer.serialize(bom, { sortLists: true, space: 2 })
    await check(json)
    process.stdout.write(`${json}\n`)
}

if (process.argv[2] === "--check") {
    await check(readFileSync(process.argv[3], "utf8"))
} else {
    await write(readFileSync(0, "utf8"))
}
