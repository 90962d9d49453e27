package io.rankfeed.feeder.plan;

import io.rankfeed.console.Console;
import io.rankfeed.feeder.cache.ArtifactFolder;
import io.rankfeed.feeder.cache.ArtifactSource;
import io.rankfeed.feeder.cache.OpenVersion;
import io.rankfeed.feeder.remote.VersionLocation;
import io.rankfeed.report.OrderReport;
import io.rankfeed.report.Report;
import io.rankfeed.report.ReportOutput;
import io.rankfeed.schema.config.ConfigDocument;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.order.OrderJson;
import io.rankfeed.schema.run.IdFiles;
import io.rankfeed.schema.run.MixtureName;
import io.rankfeed.schema.run.OrderName;
import io.rankfeed.schema.run.VersionName;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Plans over a version: another seed, batch, number of epochs or mixture of the rows that it stores. */
@Command(
        name = "plan",
        sortOptions = false,
        customSynopsis = {"rankfeed plan [OPTIONS] VERSION-DIR", "       rankfeed plan [OPTIONS] --mixture FILE"},
        description = {
            "Plan over a version: another seed, batch, number of epochs, weights or stages for the rows that it stores."
                    + " Writes a small file and reads no lane; nothing is exported again. The keys are those of"
                    + " sample.FEED in a job file, and a key that is left out keeps its value in the version's own plan."
                    + " Shares are written as a whole: with weights, balance, proportional, margins, floors, caps or"
                    + " stages, all of them are replaced; a strata column that none of them names becomes proportional."
                    + " Keys that choose rows (where, strata, list, order-by) need another export.",
            "",
            "With --mixture, plan one feed over several versions, with weights by version; see rankfeed docs mixtures.",
            "",
            "Feed the plan with rankfeed feed VERSION-DIR --plan NAME. The same numbers are the same plan and the same"
                    + " id, whatever words they are written with."
        },
        exitCodeList = "0:planned",
        footer = {
            "  rankfeed plan VERSION-DIR --set seed=7 --name seed7",
            "  rankfeed plan VERSION-DIR --set batch=512 --set epochs=10",
            "  rankfeed plan VERSION-DIR --feed train --file plan.yaml --dry-run",
            "  rankfeed plan --mixture mix.yaml --name mixed"
        })
public final class PlanCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Parameters(index = "0", arity = "0..1", paramLabel = "VERSION-DIR", description = VersionLocation.DESCRIPTION)
    private String words = "";

    @Option(
            names = "--mixture",
            paramLabel = "FILE",
            description = "Plan a mixture, one feed over several versions, from a YAML file; --set wins over it."
                    + " Default: a plan over VERSION-DIR.")
    private Optional<Path> mixture = Optional.empty();

    @Option(
            names = "--feed",
            paramLabel = "NAME",
            description = "The feed to plan; the others keep their numbers. Default: the only feed that trains.")
    private Optional<String> feed = Optional.empty();

    @Option(
            names = "--set",
            paramLabel = "KEY=VALUE",
            description = "Change one key, as in --set seed=7. May be repeated. Default: none.")
    private List<String> assignments = new ArrayList<>();

    @Option(
            names = "--file",
            paramLabel = "FILE",
            description = "A YAML file with keys of sample.FEED; --set wins over it. Default: none.")
    private Optional<Path> file = Optional.empty();

    @Option(
            names = "--name",
            paramLabel = "NAME",
            description = "Name of the plan, by which --plan finds it. Default: its id alone.")
    private Optional<String> name = Optional.empty();

    @Option(
            names = "--out",
            paramLabel = "DIR",
            description = "Folder for the plan. Default: orders, next to the versions of the dataset.")
    private Optional<Path> out = Optional.empty();

    @Option(names = "--dry-run", description = "Plan and report, and write nothing.")
    private boolean isDryRun;

    @Mixin
    private final ReportOutput output = new ReportOutput();

    @Override
    public Integer call() {
        output.requireNoPictures("plan");
        name.ifPresent(IdFiles::require);
        Report report = new Report();
        Optional<String> next = mixture.map(from -> mixed(from, report)).orElseGet(() -> over(report));
        output.print(report, spec.commandLine());
        if (!output.isJson()) {
            next.ifPresent(words -> Console.print(spec.commandLine().getErr(), "next: rankfeed feed " + words));
        }
        return 0;
    }

    /** Returns the words that feed the mixture; empty in a dry run. */
    private Optional<String> mixed(Path from, Report report) {
        if (!words.isEmpty() || feed.isPresent() || file.isPresent() || out.isPresent()) {
            throw new ConfigException("--mixture " + from + " cannot be combined with "
                    + (!words.isEmpty() ? words : feed.isPresent() ? "--feed" : file.isPresent() ? "--file" : "--out")
                    + "; the file names the versions, and the mixture is written below their root");
        }
        ConfigDocument document = PlanSettings.read("--mixture ", from);
        for (String assignment : assignments) {
            document = document.with("--set", assignment);
        }
        return new MixturePlans(document, from).plan(name, isDryRun, report).map(Path::toString);
    }

    /** Returns the words that feed the plan; empty in a dry run. */
    private Optional<String> over(Report report) {
        if (words.isEmpty()) {
            throw new ConfigException("name the version, as in rankfeed plan VERSION-DIR; or give --mixture FILE");
        }
        VersionName.Located named = VersionLocation.located(words);
        String location = named.folder();
        if (MixtureName.isAt(location, VersionLocation.store(location))) {
            throw new ConfigException(words + " is a mixture, and not a version; change its YAML file, or its keys with"
                    + " --set, and plan it again with rankfeed plan --mixture FILE");
        }
        ArtifactSource source = VersionLocation.at(location);
        OpenVersion version = PlanOption.open(source, named.order());
        OwnPlan own = OwnPlan.of(
                version,
                VersionLocation.exportedBy(words, version),
                source.address(),
                VersionLocation.store(source.address()));
        VersionPlanner.Planned plan = new VersionPlanner(version, own)
                .plan(feed, file.map(path -> PlanSettings.read("--file ", path)), assignments);
        String id = plan.order().plan();
        if (!isDryRun) {
            Path folder =
                    new OrderFiles(folder(source), OrderName.FILES).write(id, OrderJson.toBytes(plan.order()), name);
            report.answer("plan " + name.map(given -> given + ", " + id).orElse(id) + ": " + folder);
            report.fact("path", folder.toString());
        } else {
            report.answer("plan " + id + ", not written");
        }
        report.fact("version", version.manifest().id());
        OrderReport.describe(report, plan.order());
        OrderReport.decisions(report, plan.decisions());
        String fed = out.isPresent() ? folder(source).resolve(id).toString() : name.orElse(id);
        return isDryRun ? Optional.empty() : Optional.of(words + " --plan " + fed);
    }

    private Path folder(ArtifactSource source) {
        if (out.isPresent()) {
            if (out.get().toString().isEmpty()) {
                throw new ConfigException("--out: is empty; name a folder, or leave it out");
            } else if (out.get().toString().matches("[a-z][a-z0-9+.-]+:/.*")) {
                throw new ConfigException("--out " + out.get()
                        + ": is an address, and this command writes only to this machine; name a local folder");
            }
            return out.get().toAbsolutePath().normalize();
        }
        if (source instanceof ArtifactFolder folder) {
            return Path.of(OrderName.folder(folder.address()));
        }
        throw new ConfigException(
                source.address() + " is in a store that this command does not write to; name a folder of this machine"
                        + " with --out, and feed the plan by its path");
    }
}
