import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { freePort, program, type Started, start, stop, until } from "./processes.ts";

export interface SlurmCluster {
  /** For sbatch and its like. */
  readonly environment: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

const PACKAGES = "slurmctld slurmd slurm-client munge";

/** A Slurm of two nodes on this machine: its own keys, its own ports, its own files in `folder`. Needs to be root. */
export async function startSlurm(folder: string): Promise<SlurmCluster> {
  const munged = program("munged", PACKAGES);
  const slurmctld = program("slurmctld", PACKAGES);
  const slurmd = program("slurmd", PACKAGES);
  const sinfo = program("sinfo", PACKAGES);
  const [controller, first, second] = [await freePort(), await freePort(), await freePort()];
  const at = (name: string): string => join(folder, name);
  for (const name of ["state", "spool-n0", "spool-n1", "run"]) mkdirSync(at(name));
  chmodSync(folder, 0o755);
  writeFileSync(at("munge.key"), randomBytes(1024), { mode: 0o400 });
  // Later versions want control groups unless told not to; earlier ones do not know the word.
  const [, major] = /(\d+)\./.exec(execFileSync(slurmd, ["-V"], { encoding: "utf8" })) ?? [];
  if (Number(major) >= 23) writeFileSync(at("cgroup.conf"), "CgroupPlugin=disabled\n");
  writeFileSync(
    at("slurm.conf"),
    `ClusterName=ratewise
SlurmctldHost=${hostname()}(127.0.0.1)
SlurmUser=root
SlurmctldPort=${controller}
AuthType=auth/munge
AuthInfo=socket=${at("munge.socket")}
StateSaveLocation=${at("state")}
SlurmdSpoolDir=${folder}/spool-%n
SlurmctldPidFile=${at("slurmctld.pid")}
SlurmdPidFile=${folder}/slurmd-%n.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
MpiDefault=none
ReturnToService=2
SwitchType=switch/none
SlurmdParameters=config_overrides
SchedulerParameters=batch_sched_delay=0,sched_min_interval=0,bf_interval=1,requeue_setup_env_fail
InactiveLimit=0
KillWait=2
MinJobAge=60
SlurmctldTimeout=60
SlurmdTimeout=60
NodeName=n0 NodeAddr=127.0.0.1 NodeHostname=${hostname()} Port=${first} CPUs=2 State=UNKNOWN
NodeName=n1 NodeAddr=127.0.0.1 NodeHostname=${hostname()} Port=${second} CPUs=2 State=UNKNOWN
PartitionName=all Nodes=n0,n1 Default=YES MaxTime=INFINITE State=UP
`,
  );
  const environment = { SLURM_CONF: at("slurm.conf") };
  const env = { ...process.env, ...environment };
  const started: Started[] = [];
  try {
    started.push(
      start(munged, [
        "-F",
        "--force",
        `--socket=${at("munge.socket")}`,
        `--key-file=${at("munge.key")}`,
        `--pid-file=${at("munged.pid")}`,
        `--log-file=${at("munged.log")}`,
        `--seed-file=${at("munged.seed")}`,
      ]),
    );
    await new Promise((resolve) => setTimeout(resolve, 500));
    started.push(start(slurmctld, ["-D", "-i", "-f", at("slurm.conf")], { env }));
    for (const node of ["n0", "n1"])
      started.push(start(slurmd, ["-D", "-N", node, "-f", at("slurm.conf")], { env }));
    await until(
      "both nodes of Slurm are idle",
      () => {
        try {
          const printed = execFileSync(sinfo, ["-h", "-o", "%D %t"], {
            env,
            encoding: "utf8",
            stdio: "pipe",
          });
          return /^2 idle/m.test(printed);
        } catch {
          return false;
        }
      },
      30,
    ).catch((error: Error) => {
      const said = started.map(({ output }) => output().slice(-1500)).join("\n---\n");
      throw new Error(`${error.message}\n${said}`);
    });
  } catch (error) {
    for (const one of started.reverse()) await stop(one, "SIGKILL");
    throw error;
  }
  return {
    environment,
    async stop() {
      try {
        execFileSync("scancel", ["--user=root"], { env, stdio: "ignore" });
        await new Promise((resolve) => setTimeout(resolve, 500));
      } catch {
        // nothing was running
      }
      for (const one of started.reverse()) await stop(one);
    },
  };
}
