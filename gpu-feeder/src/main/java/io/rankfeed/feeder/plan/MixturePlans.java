package io.rankfeed.feeder.plan;

import io.rankfeed.feeder.remote.RemoteFolder;
import io.rankfeed.job.mixture.MixtureFile;
import io.rankfeed.report.MixtureReport;
import io.rankfeed.report.Report;
import io.rankfeed.sampling.mixture.PlannedMixture;
import io.rankfeed.schema.config.ConfigDocument;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.mixture.Mixture;
import io.rankfeed.schema.mixture.MixtureColumns;
import io.rankfeed.schema.mixture.MixtureJson;
import io.rankfeed.schema.run.MixtureName;
import java.nio.file.Path;
import java.util.Optional;

/** Plans a mixture: one feed over several versions (docs/format/plan.md, section 11). */
final class MixturePlans {
    private final MixtureFile file;
    private final Path path;

    MixturePlans(ConfigDocument file, Path path) {
        this.file = file.bind(MixtureFile.class);
        this.path = path;
    }

    /**
     * Plans the mixture, and writes it if it is to be written.
     *
     * @param name that it gets
     * @param report gets the answer
     * @return its folder; empty in a dry run
     * @throws ConfigException if the members do not fit together
     */
    Optional<Path> plan(Optional<String> name, boolean isDryRun, Report report) {
        MixtureVersions members = MixtureVersions.open(file.members());
        MixtureColumns columns;
        PlannedMixture planned;
        try {
            columns = MixtureColumns.of(members.versions(), file.fillValues());
            planned = file.plan(members.orders());
        } catch (ConfigException e) {
            throw new ConfigException(path + ": " + e.getMessage(), e);
        }
        Mixture mixture = Mixture.of(planned.feed(), columns.schema(), columns.fill());
        byte[] bytes = MixtureJson.toBytes(mixture);
        try {
            MixtureJson.parse(bytes, Mixture.FILE_NAME);
        } catch (CorruptDataException e) {
            throw new ConfigException(e.getMessage() + ", as any reader would find; plan fewer epochs or stages", e);
        }
        Optional<Path> folder = isDryRun ? Optional.empty() : Optional.of(write(members.root(), name, mixture, bytes));
        String words = name.map(given -> given + ", " + mixture.id()).orElse(mixture.id());
        report.answer("mixture " + words + folder.map(at -> ": " + at).orElse(", not written"));
        folder.ifPresent(at -> report.fact("path", at.toString()));
        MixtureReport.describe(report, mixture);
        MixtureReport.taken(report, planned, file::weights);
        return folder;
    }

    private static Path write(String root, Optional<String> name, Mixture mixture, byte[] bytes) {
        if (RemoteFolder.isAddress(root)) {
            throw new ConfigException(root + " is in a store that this command does not write to; copy the versions to"
                    + " a folder of this machine, and plan there");
        }
        Path folder = Path.of(root).resolve(MixtureName.FILES.folder());
        return new OrderFiles(folder, MixtureName.FILES).write(mixture.id(), bytes, name);
    }
}
