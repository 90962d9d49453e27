package io.rankfeed.feeder.plan;

import io.rankfeed.job.FeedSection;
import io.rankfeed.job.Stage;
import io.rankfeed.job.plan.VersionPlan;
import io.rankfeed.schema.config.ConfigDocument;
import io.rankfeed.schema.config.Plural;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.IoReason;
import io.rankfeed.schema.order.EpochMode;
import io.rankfeed.schema.selection.SelectedTrain;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The settings of a feed of a plan over a version: those of the version's own plan, and over them those that the user changes. */
final class PlanSettings {
    /** Keys of the version's own plan that chose its rows. They do not apply to the stored rows. */
    private static final Set<String> CHOOSING = Set.of("where", "rows-of", "order-by", "list", "pool");

    /** Keys of shares: a new value of one of them replaces all of them. */
    static final Set<String> SHARES =
            Set.of("weights", "balance", "proportional", "margins", "floors", "caps", "stages");

    private PlanSettings() {}

    /** The settings of the version's own plan, without what says which rows there are. */
    static ConfigDocument own(ConfigDocument settings) {
        ConfigDocument own = settings.without(CHOOSING);
        // The version stores the rare strata as one already.
        return own.text("on-rare").filter("rest"::equals).isPresent() ? own.without(Set.of("on-rare")) : own;
    }

    /**
     * @param own settings of the feed in the version's own plan
     * @param file keys of {@code sample.<feed>}, in a file
     * @param assignments the values of {@code --set}
     * @param stored the rows of the feed
     * @param joined the rare strata that the version stores as one
     * @throws ConfigException if a key is unknown or a value is invalid, or the stored strata have no shares
     */
    static FeedSection of(
            ConfigDocument own,
            Optional<ConfigDocument> file,
            List<String> assignments,
            SelectedTrain stored,
            List<String> joined) {
        Set<String> replaced = written(file, assignments);
        boolean hasShares = replaced.stream().anyMatch(SHARES::contains);
        if (!hasShares) {
            ChangedShares.requireNoneJoined(joined, stored);
        }
        ConfigDocument document = own.without(hasShares ? SHARES : Set.of());
        document = changed(columns(document, stored.columns()), file, assignments);
        new ChangedShares(replaced, stored).check(own, document);
        number(document, "lanes").ifPresent(lanes -> VersionPlan.requireLanes(lanes, stored));
        checkBatch(own, document, replaced);
        FeedSection section = document.bind(FeedSection.class);
        if (section.epochMode() == EpochMode.PASS
                && !replaced.contains("rows")
                && section.rows().filter(rows -> rows > stored.rows()).isPresent()) {
            // The version has no row of what did not fill a batch of its own plan.
            document = document.without(Set.of("rows"));
            section = document.bind(FeedSection.class);
        }
        if (replaced.contains("strata")) {
            return section;
        }
        List<String> used = used(section, stored);
        return used.size() == stored.columns().size()
                ? section
                : columns(document, used).bind(FeedSection.class);
    }

    /** An epoch of the version's own plan must have a batch, or the user says how many rows it has. */
    private static void checkBatch(ConfigDocument own, ConfigDocument document, Set<String> replaced) {
        Optional<Long> rows = number(own, "rows");
        Optional<Long> batch = number(document, "batch");
        if (!replaced.contains("rows") && rows.isPresent() && batch.isPresent() && batch.get() > rows.get()) {
            throw new ConfigException("batch: " + batch.get() + " is more than the "
                    + Plural.counted(rows.get(), "row")
                    + " that an epoch has in the version's own plan; lower the batch, or set rows, too");
        }
    }

    private static Optional<Long> number(ConfigDocument document, String key) {
        return document.text(key).filter(text -> text.matches("[0-9]{1,18}")).map(Long::valueOf);
    }

    /**
     * The settings of a sequential feed, of which only the batch can change.
     *
     * @throws ConfigException if another key is written
     */
    static FeedSection sequential(ConfigDocument own, Optional<ConfigDocument> file, List<String> assignments) {
        written(file, assignments).stream()
                .filter(key -> !key.equals("batch"))
                .sorted()
                .findFirst()
                .ifPresent(key -> {
                    throw new ConfigException(key
                            + ": a plan over a version changes only the batch of a sequential feed; leave it out, or"
                            + " change it in the job file and export again");
                });
        return changed(own, file, assignments).bind(FeedSection.class);
    }

    /** The keys that the user writes as a whole; a key within another one by its path. */
    private static Set<String> written(Optional<ConfigDocument> file, List<String> assignments) {
        Set<String> keys = new HashSet<>(file.map(ConfigDocument::keys).orElse(Set.of()));
        assignments.stream()
                .map(assignment -> assignment
                        .substring(0, Math.max(0, assignment.indexOf('=')))
                        .strip())
                .forEach(keys::add);
        keys.stream()
                .filter(key -> key.equals("sample") || key.startsWith("sample."))
                .sorted()
                .findFirst()
                .ifPresent(key -> {
                    throw new ConfigException(key
                            + ": a plan has the keys of sample.FEED alone; leave sample.FEED out, as in --set seed=7");
                });
        return keys;
    }

    private static ConfigDocument changed(ConfigDocument own, Optional<ConfigDocument> file, List<String> assignments) {
        ConfigDocument document = file.map(own::with).orElse(own);
        for (String assignment : assignments) {
            document = document.with("--set", assignment);
        }
        return document;
    }

    /** Values and bins are stored, so a column is known by its name alone. */
    private static ConfigDocument columns(ConfigDocument document, List<String> names) {
        String columns = names.stream()
                .map(name -> "{column: '" + name.replace("'", "''") + "'}")
                .collect(Collectors.joining(", ", "[", "]"));
        return document.with("--set", "strata=" + columns);
    }

    /** The strata columns that have shares; the others are proportional. */
    private static List<String> used(FeedSection section, SelectedTrain stored) {
        Set<String> weighed = new HashSet<>(section.weights().keySet());
        Set<String> named = new HashSet<>(section.balance());
        section.proportional().ifPresent(named::addAll);
        section.margins().ifPresent(margins -> named.addAll(margins.keySet()));
        section.floors().ifPresent(floors -> weighed.addAll(floors.keySet()));
        section.caps().ifPresent(caps -> weighed.addAll(caps.keySet()));
        for (Stage stage : section.stages()) {
            weighed.addAll(stage.weights().keySet());
            stage.margins().ifPresent(margins -> named.addAll(margins.keySet()));
            stage.floors().ifPresent(floors -> weighed.addAll(floors.keySet()));
            stage.caps().ifPresent(caps -> weighed.addAll(caps.keySet()));
        }
        List<String> columns = stored.columns();
        Set<String> values = stored.strata().stream()
                .flatMap(stratum -> stratum.values().stream())
                .collect(Collectors.toSet());
        // A whole stratum has a value of each column. What is neither one nor a value is refused later, by its name.
        boolean isWhole = !values.containsAll(weighed);
        return IntStream.range(0, columns.size())
                .filter(c -> isWhole
                        || named.contains(columns.get(c))
                        || stored.strata().stream()
                                .map(stratum -> stratum.values().get(c))
                                .anyMatch(weighed::contains))
                .mapToObj(columns::get)
                .toList();
    }

    /** @param flag that names the file, for messages */
    static ConfigDocument read(String flag, Path file) {
        try {
            return ConfigDocument.parse(file.toString(), ConfigDocument.read(file));
        } catch (NoSuchFileException e) {
            throw new ConfigException(flag + file + ": no such file", e);
        } catch (IOException e) {
            throw new ConfigException(IoReason.of(flag + file + " cannot be read", e), e);
        }
    }
}
