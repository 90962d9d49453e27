package io.rankfeed.feeder.sync;

import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.manifest.ArtifactFile;

/** Reports files that differ from their manifest. */
final class Lengths {
    private Lengths() {}

    /** @throws CorruptDataException at the first byte that is too many or missing */
    static void check(String file, long bytes, ArtifactFile expected) {
        if (bytes != expected.bytes()) {
            throw new CorruptDataException(
                    file,
                    Math.min(bytes, expected.bytes()),
                    "the file has " + bytes + " bytes, manifest.json says " + expected.bytes()
                            + "; copy or export the version again");
        }
    }

    static CorruptDataException wrongDigest(String file, String found, ArtifactFile expected) {
        return new CorruptDataException(
                file,
                "its SHA-256 is " + found + ", manifest.json says " + expected.sha256()
                        + "; `verify` names the damaged block; copy or export the version again");
    }
}
