package io.rankfeed.feeder.importing;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.rankfeed.feeder.plan.OrderFiles;
import io.rankfeed.importing.write.WritePoints;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.failure.EnvironmentException;
import io.rankfeed.schema.failure.IoReason;
import io.rankfeed.schema.json.CanonicalJson;
import io.rankfeed.schema.order.Order;
import io.rankfeed.schema.order.OrderJson;
import io.rankfeed.schema.run.OrderName;
import io.rankfeed.schema.run.VersionCommit;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Makes a version the latest one of its dataset: its default order, the facts of the run, and the commit
 * (docs/format/manifest.md, section 7). The caller has the lock of the dataset.
 */
final class ImportCommit {
    private final Path dataset;

    /** @param dataset folder of the dataset */
    ImportCommit(Path dataset) {
        this.dataset = dataset;
    }

    /** @param job the options of the import */
    void add(String version, Order order, ObjectNode job) {
        try {
            new OrderFiles(dataset.resolve(OrderName.FILES.folder()), OrderName.FILES)
                    .write(order.plan(), OrderJson.toBytes(order), Optional.empty());
            WritePoints.reached("after-order");
            // The order names the version, so that the same import is the same run.
            String run = "import-" + order.plan();
            OrderFiles.put(dataset.resolve("runs").resolve(run).resolve("run.json"), facts(run, version, order, job));
            WritePoints.reached("after-run");
            commit(new VersionCommit(run, version, Optional.of(order.plan()), Optional.empty()));
            WritePoints.reached("after-commit");
        } catch (IOException e) {
            throw new EnvironmentException(IoReason.of("cannot write into " + dataset, dataset, e), e);
        }
    }

    private static byte[] facts(String run, String version, Order order, ObjectNode job) {
        ObjectNode facts = JsonNodeFactory.instance
                .objectNode()
                .put("runId", run)
                .put("command", "import")
                .put("state", "committed")
                .put("exitCode", 0)
                .put("version", version)
                .put("order", order.plan());
        facts.set("job", job);
        facts.putArray("phases");
        facts.putArray("messages");
        return CanonicalJson.indented(facts);
    }

    /** Nothing is added where this is the latest commit already. */
    private void commit(VersionCommit commit) throws IOException {
        Path folder = Files.createDirectories(dataset.resolve(VersionCommit.FOLDER));
        List<Path> commits;
        try (Stream<Path> entries = Files.list(folder)) {
            commits = entries.filter(file -> VersionCommit.number(name(file)).isPresent())
                    .sorted(Comparator.comparing(ImportCommit::name).reversed())
                    .toList();
        }
        if (latest(commits).filter(commit::equals).isPresent()) {
            return;
        }
        long number = commits.isEmpty()
                ? 0
                : VersionCommit.number(name(commits.getFirst())).orElseThrow();
        while (true) {
            try {
                OrderFiles.putNew(folder.resolve(VersionCommit.fileName(++number)), commit.toBytes());
                return;
            } catch (FileAlreadyExistsException e) {
                // A job has taken this number.
            }
        }
    }

    /** An incomplete commit is ignored, as readers do. */
    private static Optional<VersionCommit> latest(List<Path> commits) throws IOException {
        for (Path file : commits) {
            try {
                return Optional.of(VersionCommit.parse(Files.readAllBytes(file), file.toString()));
            } catch (CorruptDataException e) {
                // The one before it counts.
            }
        }
        return Optional.empty();
    }

    private static String name(Path file) {
        return file.getFileName().toString();
    }
}
